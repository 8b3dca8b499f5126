local j = require('cjson_next')
