import { definePages } from '@/shared/pages/definition';

export const pages = definePages({
  path: '/system/alert-rule',
  title: { zh: '告警规则', en: 'Alert rules' },
  menu: {
    position: 24_600,
    group: 'system',
    operations: ['view', 'create', 'edit', 'delete', 'operate'],
    // A rule may be about everything of the tenant.
    administrative: true,
  },
  load: () => import('./alert-rule-page'),
  messages: ['alert-rule'],
});
