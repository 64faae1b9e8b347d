// The library ships its languages without types; they only register themselves.
declare module 'cronstrue/locales/zh_CN.js';
