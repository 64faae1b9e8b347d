import { definePages } from '@/shared/pages/definition';

export const pages = definePages({
  // Texts are the same for every tenant.
  path: '/resource/translation',
  title: { zh: '翻译', en: 'Translation' },
  menu: {
    position: 16_550,
    group: 'resource',
    operations: ['view', 'edit'],
    administrative: true,
    wholePlatform: true,
  },
  load: () => import('./translation-page'),
  messages: ['translation'],
});
