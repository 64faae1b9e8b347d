import { definePages } from '@/shared/pages/definition';

export const pages = definePages({
  // A file of the viewer's own, of which nothing is kept: open to all who are signed in.
  path: '/file-preview',
  title: { zh: '文件预览', en: 'File preview' },
  menu: 'home',
  offMenu: true,
  untitled: true,
  load: () => import('./file-preview-page'),
  messages: ['file-preview'],
});
