require 'sinatra_next'
