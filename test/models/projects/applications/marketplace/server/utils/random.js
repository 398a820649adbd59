exports.randomCode = () => `C${Math.random().toString(36).slice(2, 8)}`;
