import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { MonitorRecord } from '@/shared/api';
import { duration } from '@/shared/lib/figures';
import { customerPaths, paths } from '@/shared/pages/paths';
import { type Column, MOMENT_WIDTH } from '@/shared/ui/data-table';
import { Moment } from '@/shared/ui/figures';
import { StateTag, stateLabel } from '@/shared/ui/state-tag';
import { Route, routeText } from '@/shared/widgets/sync/place';
import { HopBeat } from './hop';

const hops = ['capture', 'bus', 'apply', 'target'] as const;

/** Where the link is steered: its own page, or its subscriber's or process's data sheet. */
function pageOf({ linkId, customerId, clientType, id }: MonitorRecord): string {
  const { sheet } = customerPaths[clientType];
  return linkId ? paths.syncLink(linkId) : sheet({ customer: customerId, channel: id });
}

/** A sync link has one channel, which is called like it; a subscriber's channels have their own names. */
function nameOf({ linkId, name, channelName }: MonitorRecord): string {
  return linkId ? name : channelName;
}

/** Explanation of the heartbeat: the hop where it stopped, and the services' reasons. */
function whyOf(t: TFunction<'link-monitor'>, { state, standsAt, reason }: MonitorRecord) {
  const place = state === 'standing' && standsAt && t('standsAt', { hop: t(`hop.${standsAt}`) });
  return { text: [place, reason?.text].filter(Boolean).join(' · '), remedy: reason?.remedy };
}

/** A hop of a link whose last hour is shown. */
export interface OpenedHop {
  id: string;
  name: string;
  page: string;
}

export function useMonitorColumns(open: (hop: OpenedHop) => void): Column<MonitorRecord>[] {
  const { t } = useTranslation('link-monitor');
  return useMemo(
    () => [
      {
        key: 'name',
        title: t('name'),
        minWidth: 110,
        essential: true,
        text: nameOf,
        render: (link) => <Link to={pageOf(link)}>{nameOf(link)}</Link>,
      },
      {
        key: 'customerName',
        of: ['linkId', 'name'],
        title: t('subscriber'),
        minWidth: 120,
        type: 'text',
        text: ({ linkId, name }) => (linkId ? '' : name),
        hidden: true,
      },
      {
        key: 'state',
        title: t('state'),
        width: 130,
        essential: true,
        text: ({ state }) => stateLabel(state),
        render: (link) => <StateTag state={link.state} reason={whyOf(t, link)} />,
      },
      ...hops.map(
        (name, index): Column<MonitorRecord> => ({
          key: name,
          of: ['hops'],
          title: t(`hop.${name}`),
          width: 158,
          text: ({ hops: beats }) => beats[index]?.tookMs,
          render: (link) => {
            const hop = link.hops[index];
            const opened = { name: `${nameOf(link)} · ${t(`hop.${name}`)}`, page: pageOf(link) };
            return hop && <HopBeat hop={hop} onOpen={() => open({ id: hop.serviceId, ...opened })} />;
          },
        }),
      ),
      {
        key: 'tookMs',
        title: t('total'),
        width: 90,
        align: 'right',
        text: ({ tookMs }) => tookMs,
        render: ({ tookMs }) => <span className="tabular">{duration(tookMs)}</span>,
      },
      {
        key: 'arrivedAt',
        title: t('arrived'),
        width: MOMENT_WIDTH,
        leaveOut: true,
        text: ({ arrivedAt }) => arrivedAt,
        render: ({ arrivedAt }) => <Moment at={arrivedAt} />,
      },
      {
        key: 'places',
        of: [],
        title: t('places'),
        minWidth: 220,
        leaveOut: true,
        text: routeText,
        render: (ends) => <Route {...ends} />,
      },
    ],
    [t, open],
  );
}
