require 'net/http'
uri = URI(ENV['SERVER'] + '/stall/x')
Net::HTTP.start(uri.host, uri.port, read_timeout: 1, max_retries: 0) { |h| h.get(uri.path) }
