import re
print(re.match('a', 'b').group(0))
