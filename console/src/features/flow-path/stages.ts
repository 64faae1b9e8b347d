import type { FlowRecord } from '@/shared/api';
import { customerPaths, paths } from '@/shared/pages/paths';

export type Subscription = FlowRecord['subscriptions'][number];

/** Where a channel's tables are listed and steered: at its sync link, where one made it. */
export const pageOf = ({ id, linkId, clientType }: Subscription) =>
  linkId ? paths.syncLink(linkId) : customerPaths[clientType].sheet({ channel: id });
