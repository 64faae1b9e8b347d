import { definePages } from '@/shared/pages/definition';

export const pages = definePages({
  // Of each kind is shown what the viewer may see on its own page; restoring and deleting need that page's rights as well.
  path: '/resource/recycleBin',
  title: { zh: '回收站', en: 'Recycle bin' },
  menu: { position: 16_700, group: 'resource', operations: ['view', 'edit', 'delete'] },
  load: () => import('./recycle-bin-page'),
  messages: ['recycle-bin'],
});
