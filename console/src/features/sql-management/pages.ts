import { definePages } from '@/shared/pages/definition';

export const pages = definePages({
  // A user who may run SQL reads all that the stored accounts can read.
  path: '/resource/sqlManagement',
  title: { zh: 'SQL 管理', en: 'SQL management' },
  menu: {
    position: 16_400,
    group: 'resource',
    operations: ['view', 'create', 'edit', 'delete', 'operate'],
    administrative: true,
  },
  load: () => import('./sql-management-page'),
  messages: ['sql-management'],
});
