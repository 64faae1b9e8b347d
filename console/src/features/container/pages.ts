import { CloudServerOutlined } from '@ant-design/icons';
import { definePages, type PageDefinition } from '@/shared/pages/definition';

const messages: PageDefinition['messages'] = ['container', 'machine', 'metric', 'service'];

export const pages = definePages(
  {
    // The hosts that services run on. A shell there reaches every tenant's data.
    path: '/container',
    title: { zh: '容器列表', en: 'Containers' },
    menu: {
      position: 1_000,
      icon: CloudServerOutlined,
      operations: ['view', 'create', 'edit', 'delete', 'operate'],
      administrative: true,
      wholePlatform: true,
    },
    load: () => import('./list-page'),
    messages,
  },
  {
    path: '/containerdetail/:id',
    title: { zh: '容器详情', en: 'Container' },
    load: () => import('./detail-page'),
    messages,
    parent: '/container',
  },
);
