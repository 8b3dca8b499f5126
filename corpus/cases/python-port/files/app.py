import os, socketserver, http.server
socketserver.TCPServer(('127.0.0.1', int(os.environ['HTTP_PORT'])), http.server.SimpleHTTPRequestHandler)
