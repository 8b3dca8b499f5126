require('fs').writeFileSync('out/report.txt', 'x');
