import { ApartmentOutlined } from '@ant-design/icons';
import { definePages } from '@/shared/pages/definition';

export const pages = definePages(
  {
    path: '/sync-link',
    title: { zh: '同步链路', en: 'Sync links' },
    menu: {
      position: 2_000,
      icon: ApartmentOutlined,
      operations: ['view', 'create', 'edit', 'delete', 'operate'],
    },
    load: () => import('./list-page'),
    messages: ['sync-link', 'sync', 'data-source'],
  },
  {
    path: '/sync-link/new',
    title: { zh: '新建同步链路', en: 'New sync link' },
    load: () => import('./wizard/new-link-page'),
    messages: ['sync-link', 'sync', 'data-source'],
    parent: '/sync-link',
  },
  {
    path: '/sync-link-config/:id',
    title: { zh: '同步链路详情', en: 'Sync link' },
    load: () => import('./detail-page'),
    messages: ['sync-link', 'sync', 'data-source', 'machine', 'metric', 'row-error', 'service', 'logs'],
    parent: '/sync-link',
  },
);
