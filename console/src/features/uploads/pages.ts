import { definePages } from '@/shared/pages/definition';

export const pages = definePages({
  path: '/resource/uploads',
  title: { zh: '上传的文件', en: 'Uploaded files' },
  menu: { position: 16_600, group: 'resource', operations: ['view', 'create', 'delete'] },
  load: () => import('./uploads-page'),
  messages: ['uploads'],
});
