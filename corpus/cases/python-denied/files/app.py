open('logs/app.log', 'a').write('start')
