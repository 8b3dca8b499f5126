require('fs').writeFileSync('disk/blob', Buffer.alloc(500000));
