import { UnorderedListOutlined } from '@ant-design/icons';
import { definePages } from '@/shared/pages/definition';

export const pages = definePages(
  {
    path: '/sync-task',
    title: { zh: '同步任务', en: 'Sync tasks' },
    menu: { position: 3_000, icon: UnorderedListOutlined, operations: ['view'] },
    load: () => import('./list-page'),
    messages: ['sync-task', 'sync'],
  },
  {
    path: '/sync-task-config/:id',
    title: { zh: '同步任务详情', en: 'Sync task' },
    load: () => import('./detail-page'),
    messages: ['sync-task', 'metric', 'sync', 'row-error'],
    parent: '/sync-task',
  },
);
