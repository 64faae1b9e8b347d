import type { FlowRecord } from '@/shared/api';
import { paths } from '@/shared/pages/paths';

export type Subscription = FlowRecord['subscriptions'][number];

/** Where a channel's tables are listed and steered: at its sync link, where one made it. */
export const pageOf = ({ id, linkId }: Subscription) =>
  linkId ? paths.syncLink(linkId) : paths.dataSheet({ channel: id });
