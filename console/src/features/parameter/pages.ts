import { definePages } from '@/shared/pages/definition';

export const pages = definePages({
  // Dictionaries are made and deleted here too; parameters are only edited.
  path: '/system/bus-sys-parameter',
  title: { zh: '系统参数', en: 'System parameters' },
  menu: {
    position: 25_000,
    group: 'system',
    operations: ['view', 'create', 'edit', 'delete'],
    administrative: true,
    wholePlatform: true,
  },
  load: () => import('./parameters-page'),
  messages: ['parameter'],
});
