import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { audited, call, type ManagedService, serviceDelete } from '@/shared/api';
import { useMay } from '@/shared/hooks/use-may';
import { notify } from '@/shared/lib/notices';
import { reportFailure } from '@/shared/lib/report-failure';
import { paths } from '@/shared/pages/paths';
import type { RowAction } from '@/shared/ui/data-table';
import { stateLabel } from '@/shared/ui/state-tag';
import { confirmDelete } from '@/shared/widgets/delete-confirm';
import { serviceTitle } from './kinds';
import { MENU_KEY, type Steering, useRefreshServices } from './queries';

export type Opened =
  | { kind: 'add' }
  | { kind: 'edit' | 'log' | 'log-search' | 'metrics'; service: ManagedService }
  | { kind: 'transfer'; services: readonly ManagedService[] }
  | { kind: 'place'; services: readonly ManagedService[] };

type Verb = ManagedService['actions'][number];
type Steer = (verb: Steering, services: readonly ManagedService[]) => void;

const steered: readonly Steering[] = ['start', 'stop', 'restart', 'force-stop'];

/** What can be asked of one service. Its state alone, as the server says, decides what is lit. */
export function useServiceActions(steer: Steer, open: (opened: Opened) => void) {
  const { t } = useTranslation(['service', 'metric']);
  const may = useMay(MENU_KEY);
  const mayLinks = useMay('sync-link');
  const navigate = useNavigate();
  const remove = useRemove();
  return useCallback(
    (row: ManagedService): RowAction[] => {
      const refused = (verb: Verb) =>
        row.actions.includes(verb)
          ? {}
          : { refused: t('refused', { state: stateLabel(row.state), action: t(`verb.${verb}`) }) };
      const action = (verb: Verb, run: () => void, danger = false): RowAction => ({
        key: verb,
        label: t(`verb.${verb}`),
        danger,
        run,
        ...refused(verb),
      });
      return [
        ...(may('operate')
          ? steered.map((verb) => action(verb, () => steer(verb, [row]), verb === 'force-stop'))
          : []),
        ...(may('edit') ? [action('edit', () => open({ kind: 'edit', service: row }))] : []),
        ...(may('operate') ? [action('place', () => open({ kind: 'place', services: [row] }))] : []),
        ...(may('operate') ? [action('transfer', () => open({ kind: 'transfer', services: [row] }))] : []),
        { key: 'metrics', label: t('metric:title'), run: () => open({ kind: 'metrics', service: row }) },
        ...(mayLinks('view')
          ? [
              ...goTo(t('verb.go-to'), row.linkId, navigate),
              {
                key: 'log-search',
                label: t('verb.log-search'),
                run: () => open({ kind: 'log-search', service: row }),
              },
              { key: 'log', label: t('verb.log'), run: () => open({ kind: 'log', service: row }) },
            ]
          : []),
        ...(may('delete') ? [action('delete', () => remove(row), true)] : []),
      ];
    },
    [t, may, mayLinks, navigate, remove, steer, open],
  );
}

function goTo(label: string, linkId: string | null, navigate: (path: string) => unknown): RowAction[] {
  return linkId ? [{ key: 'go-to', label, run: () => navigate(paths.syncLink(linkId)) }] : [];
}

function useRemove(): (row: ManagedService) => void {
  const { t } = useTranslation(['service', 'common']);
  const refresh = useRefreshServices();
  return (row) =>
    confirmDelete({
      title: t('deleteTitle', { name: row.serviceName, type: serviceTitle(row.type) }),
      content: t('deleteHint', { container: row.containerName }),
      dependants: { deleting: 'container/cluster/customer/delete', id: row.id },
      mode: 'post',
      run: async (proof) => {
        const result = await call(serviceDelete({ body: { id: row.id, ...proof }, ...audited(row) })).catch(
          reportFailure('delete'),
        );
        if (result.done) notify('success', t('deleted', { name: row.serviceName }));
        else notify('error', t('common:failure.asked.delete', { reason: result.message ?? '' }));
        await refresh();
      },
    });
}
