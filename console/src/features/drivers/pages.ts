import { definePages } from '@/shared/pages/definition';

export const pages = definePages({
  // Drivers are code that runs on the hosts of every tenant.
  path: '/resource/drivers',
  title: { zh: '驱动', en: 'Drivers' },
  menu: {
    position: 16_650,
    group: 'resource',
    operations: ['view', 'create', 'edit', 'delete'],
    administrative: true,
    wholePlatform: true,
  },
  load: () => import('./drivers-page'),
  messages: ['drivers'],
});
