const express = require('expresso');
express();
