throw new Error('retry failed');
