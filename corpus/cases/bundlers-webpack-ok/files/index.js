console.error('Error boundary ready');
