import { useTranslation } from 'react-i18next';
import {
  audited,
  type ClusterRecord,
  call,
  clusterDelete,
  clusterOfferJoin,
  type JoinOffer,
} from '@/shared/api';
import { useMay } from '@/shared/hooks/use-may';
import { notify } from '@/shared/lib/notices';
import { reportFailure } from '@/shared/lib/report-failure';
import type { RowAction } from '@/shared/ui/data-table';
import { confirmDelete } from '@/shared/widgets/delete-confirm';
import { useRefresh } from './queries';

interface Doing {
  onEdit: (container: ClusterRecord) => void;
  onOffer: (offer: JoinOffer) => void;
  onDeleted?: () => void;
}

/** What can be done with a container, as far as the viewer may. Deleting asks first, as the system is configured. */
export function useContainerActions({ onEdit, onOffer, onDeleted }: Doing) {
  const { t } = useTranslation('container');
  const may = useMay('container');
  const refresh = useRefresh();
  const offer = async (container: ClusterRecord) => {
    onOffer(
      await call(clusterOfferJoin({ body: { containerid: container.id } })).catch(reportFailure('submit')),
    );
  };
  const remove = (container: ClusterRecord) =>
    confirmDelete({
      title: t('deleteTitle', { name: container.displayName }),
      content: t('deleteHint', { hosts: container.hosts }),
      dependants: { deleting: 'container/cluster/delete', id: container.id },
      mode: 'post',
      run: async (proof) => {
        const { id, containerName, displayName } = container;
        const body = { id, containerName, displayName, ...proof };
        await call(clusterDelete({ body, ...audited(container) })).catch(reportFailure('delete'));
        notify('success', t('deleted', { name: displayName }));
        onDeleted?.();
        await refresh();
      },
    });
  return (container: ClusterRecord): RowAction[] => {
    const actions: (RowAction | false)[] = [
      may('create') && { key: 'join', label: t('addHost'), run: () => void offer(container) },
      may('edit') && { key: 'edit', label: t('edit'), run: () => onEdit(container) },
      may('delete') && {
        key: 'delete',
        label: t('delete'),
        danger: true,
        ...whyItStays(container, t),
        run: () => remove(container),
      },
    ];
    return actions.filter((action) => action !== false);
  };
}

function whyItStays(
  { builtIn, services }: ClusterRecord,
  t: ReturnType<typeof useTranslation<'container'>>['t'],
): { refused?: string } {
  if (builtIn) return { refused: t('builtIn') };
  return services > 0 ? { refused: t('inUse', { services }) } : {};
}
