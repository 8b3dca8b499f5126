it('emits error on timeout', () => {});
it('rejects with ENOENT: no such file or directory', () => {});
