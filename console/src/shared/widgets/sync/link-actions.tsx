import {
  CaretRightOutlined,
  DeleteOutlined,
  PauseOutlined,
  PoweroffOutlined,
  RedoOutlined,
} from '@ant-design/icons';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ConnectionRecord } from '@/shared/api';
import { useMay } from '@/shared/hooks/use-may';
import { notify } from '@/shared/lib/notices';
import { ActionButtons } from '@/shared/ui/action-buttons';
import { useConfirmDanger } from '@/shared/ui/confirm-danger';
import { confirmDelete, type DeleteProof } from '@/shared/widgets/delete-confirm';
import { type LinkVerb, linkVerbs, useLinkAction } from './queries';

const icons: Record<LinkVerb, ReactNode> = {
  start: <CaretRightOutlined />,
  resume: <RedoOutlined />,
  pause: <PauseOutlined />,
  stop: <PoweroffOutlined />,
  delete: <DeleteOutlined />,
};

export interface ActedLink {
  id: string;
  name: string;
  state: string;
  actions: readonly string[];
  tables: { total: number };
  target: Pick<ConnectionRecord, 'place'>;
}

interface Props {
  link: ActedLink;
  /** In a table's row: small, the first action visible, the rest behind "more". */
  compact?: boolean;
  onDeleted?: () => void;
}

/** What the link's state allows, as the server says, and the viewer may. Stopping and deleting ask first. */
export function LinkActions({ link, compact = false, onDeleted }: Props) {
  const { t } = useTranslation('sync');
  const { perform, isPending } = usePerform(link, onDeleted);
  const may = useMay('sync-link');
  const actions = linkVerbs
    .filter((verb) => link.actions.includes(verb) && may(verb === 'delete' ? 'delete' : 'operate'))
    .map((verb) => ({
      key: verb,
      label: t(`action.${verb}`),
      icon: icons[verb],
      danger: verb === 'delete',
      run: () => perform(verb),
    }));
  return (
    <ActionButtons
      actions={actions}
      shown={compact ? 1 : 2}
      compact={compact}
      isPending={isPending}
      nameOf={({ key }) => t(`action.${key as LinkVerb}Named`, { name: link.name })}
      moreLabel={t('action.moreFor', { name: link.name })}
    />
  );
}

function usePerform(link: ActedLink, onDeleted: (() => void) | undefined) {
  const { t } = useTranslation('sync');
  const confirm = useConfirmDanger();
  const { mutateAsync, isPending } = useLinkAction();
  const run = async (verb: LinkVerb, proof?: DeleteProof) => {
    await mutateAsync({ verb, id: link.id, state: link.state, ...proof });
    notify('success', t(`done.${verb}`, { name: link.name }));
    if (verb === 'delete') onDeleted?.();
  };
  const perform = (verb: LinkVerb) => {
    if (verb !== 'delete' && verb !== 'stop') {
      // A refusal is answered by the notice that every failed change gets.
      run(verb).catch(() => undefined);
      return;
    }
    const danger = {
      title: t(`confirm.${verb}Title`, { name: link.name }),
      content: t(`confirm.${verb}`, {
        count: link.tables.total,
        ...link.target.place,
      }),
      action: t(`action.${verb}`),
    };
    if (verb === 'delete')
      confirmDelete({
        ...danger,
        dependants: { deleting: 'sync/link/delete', id: link.id },
        isRecycled: true,
        mode: 'post',
        run: (proof) => run(verb, proof),
      });
    else confirm({ ...danger, run: () => run(verb) });
  };
  return { perform, isPending };
}
