from tools import slugify
