import { PartitionOutlined } from '@ant-design/icons';
import { definePages } from '@/shared/pages/definition';

export const pages = definePages(
  {
    path: '/flow-path',
    title: { zh: '同步图', en: 'Sync graph' },
    menu: { position: 12_000, icon: PartitionOutlined, operations: ['view'] },
    load: () => import('./flow-page'),
    messages: ['flow-path', 'metric'],
  },
  {
    path: '/resource/graph',
    title: { zh: '拓扑图', en: 'Topology' },
    load: () => import('./topology-page'),
    messages: ['flow-path'],
    parent: '/flow-path',
  },
);
