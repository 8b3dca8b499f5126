from setuptools import setup, Extension
setup(name='fastsum', version='1', ext_modules=[Extension('fastsum', ['fastsum.c'])])
