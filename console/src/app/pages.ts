import { pages as alertRule } from '@/features/alert-rule/pages';
import { pages as auditLog } from '@/features/audit-log/pages';
import { pages as authority } from '@/features/authority/pages';
import { pages as cache } from '@/features/cache/pages';
import { pages as container } from '@/features/container/pages';
import { pages as dataService } from '@/features/data-service/pages';
import { pages as demo } from '@/features/demo/pages';
import { pages as drivers } from '@/features/drivers/pages';
import { pages as encodeTool } from '@/features/encode-tool/pages';
import { pages as filePreview } from '@/features/file-preview/pages';
import { pages as flowPath } from '@/features/flow-path/pages';
import { pages as help } from '@/features/help/pages';
import { pages as home } from '@/features/home/pages';
import { pages as linkMonitor } from '@/features/link-monitor/pages';
import { pages as logSearch } from '@/features/log-search/pages';
import { pages as messageBus } from '@/features/message-bus/pages';
import { pages as networkRoute } from '@/features/network-route/pages';
import { pages as notification } from '@/features/notification/pages';
import { pages as overviewMonitor } from '@/features/overview-monitor/pages';
import { pages as parameter } from '@/features/parameter/pages';
import { pages as pointToPoint } from '@/features/point-to-point/pages';
import { pages as policy } from '@/features/policy/pages';
import { pages as publish } from '@/features/publish/pages';
import { pages as recycleBin } from '@/features/recycle-bin/pages';
import { pages as registration } from '@/features/registration/pages';
import { pages as search } from '@/features/search/pages';
import { pages as service } from '@/features/service/pages';
import { pages as simplifySync } from '@/features/simplify-sync/pages';
import { pages as sqlManagement } from '@/features/sql-management/pages';
import { pages as statistics } from '@/features/statistics/pages';
import { pages as stream } from '@/features/stream/pages';
import { pages as subscribe } from '@/features/subscribe/pages';
import { pages as syncLink } from '@/features/sync-link/pages';
import { pages as syncTask } from '@/features/sync-task/pages';
import { pages as taskPlan } from '@/features/task-plan/pages';
import { pages as translation } from '@/features/translation/pages';
import { pages as uploads } from '@/features/uploads/pages';
import type { PageDefinition } from '@/shared/pages/definition';

/** Every page inside the frame: one line for each feature. */
export const pages: readonly PageDefinition[] = [
  ...home,
  ...container,
  ...syncLink,
  ...syncTask,
  ...simplifySync,
  ...publish,
  ...dataService,
  ...overviewMonitor,
  ...flowPath,
  ...linkMonitor,
  ...pointToPoint,
  ...subscribe,
  ...stream,
  ...statistics,
  ...logSearch,
  ...auditLog,
  ...search,
  ...sqlManagement,
  ...translation,
  ...uploads,
  ...drivers,
  ...recycleBin,
  ...encodeTool,
  ...filePreview,
  ...help,
  ...demo,
  ...authority,
  ...notification,
  ...alertRule,
  ...networkRoute,
  ...parameter,
  ...messageBus,
  ...registration,
  ...cache,
  ...service,
  ...taskPlan,
  ...policy,
];
