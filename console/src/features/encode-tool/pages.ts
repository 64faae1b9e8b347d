import { definePages } from '@/shared/pages/definition';

export const pages = definePages({
  // A user who may decrypt reads what others encrypted.
  path: '/resource/encodeTool',
  title: { zh: '加密工具', en: 'Encryption tool' },
  menu: { position: 17_000, group: 'resource', operations: ['view'], administrative: true },
  load: () => import('./encode-tool-page'),
  messages: ['encode-tool'],
});
