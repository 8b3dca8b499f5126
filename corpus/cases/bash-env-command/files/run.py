#!/usr/bin/env python3.4
print('hi')
