SELECT error_code FROM failures
