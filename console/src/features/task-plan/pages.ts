import { ScheduleOutlined } from '@ant-design/icons';
import { definePages } from '@/shared/pages/definition';

export const pages = definePages({
  path: '/task',
  title: { zh: '任务计划', en: 'Task plans' },
  menu: {
    position: 14_200,
    icon: ScheduleOutlined,
    operations: ['view', 'create', 'edit', 'delete', 'operate'],
  },
  load: () => import('./task-plan-page'),
  messages: ['task-plan', 'state'],
});
