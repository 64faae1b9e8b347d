import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { NodeRecord } from '@/shared/api';
import { useMay } from '@/shared/hooks/use-may';
import { notify } from '@/shared/lib/notices';
import { paths } from '@/shared/pages/paths';
import { ActionButtons } from '@/shared/ui/action-buttons';
import { useConfirmDanger } from '@/shared/ui/confirm-danger';
import { confirmDelete } from '@/shared/widgets/delete-confirm';
import { useNodeAction, useNodeDeletion } from './queries';

interface Props {
  node: NodeRecord;
  /** In a table's row: small. */
  compact?: boolean;
  onDeleted?: () => void;
}

type Verb = NodeRecord['actions'][number];

const needs = { start: 'operate', stop: 'operate', edit: 'edit', delete: 'delete' } as const;

/** What the node's state allows, as the server says, and the viewer may. A node of a sync link is steered there. */
export function NodeActions({ node, compact = false, onDeleted }: Props) {
  const { t } = useTranslation('publish');
  const navigate = useNavigate();
  const { perform, isPending } = usePerform(node, onDeleted);
  const may = useMay('publish');
  const { linkId, subscribers } = node;
  if (linkId)
    return (
      <Button type={compact ? 'link' : 'default'} onClick={() => navigate(paths.syncLink(linkId))}>
        {t('node.ofLink')}
      </Button>
    );
  const refused = node.actions.includes('delete') ? undefined : t('node.kept', { count: subscribers });
  const offered = [...node.actions.filter((verb) => verb !== 'delete'), 'delete' as const];
  const actions = offered
    .filter((verb) => may(needs[verb]))
    .map((verb) => ({
      key: verb,
      label: t(`node.action.${verb}`),
      danger: verb === 'delete',
      refused: verb === 'delete' ? refused : undefined,
      run: () => perform(verb),
    }));
  return (
    <ActionButtons
      actions={actions}
      shown={1}
      compact={compact}
      isPending={isPending}
      nameOf={({ label }) => t('node.actionNamed', { action: label, name: node.name })}
      moreLabel={t('node.more', { name: node.name })}
    />
  );
}

function usePerform(node: NodeRecord, onDeleted: (() => void) | undefined) {
  const { t } = useTranslation('publish');
  const navigate = useNavigate();
  const confirm = useConfirmDanger();
  const action = useNodeAction();
  const deletion = useNodeDeletion();
  const { id: nodeMaster, name } = node;
  const steer = async (verb: 'start' | 'stop') => {
    await action.mutateAsync({ verb, nodeMaster });
    notify('success', t(`node.done.${verb}`, { name }));
  };
  const place = { count: node.tables.total, ...node.source.place };
  const perform = (verb: Verb) => {
    if (verb === 'edit') navigate(paths.databaseConfig('publish', node.source.kind, { id: nodeMaster }));
    // A refusal is answered by the notice that every failed change gets.
    else if (verb === 'start') steer(verb).catch(() => undefined);
    else if (verb === 'stop')
      confirm({
        title: t('node.stopTitle', { name }),
        content: t('node.stopHint', place),
        action: t('node.action.stop'),
        run: () => steer(verb),
      });
    else
      confirmDelete({
        title: t('node.deleteTitle', { name }),
        content: t('node.deleteHint', place),
        dependants: { deleting: 'publish/node/delete', id: nodeMaster },
        action: t('node.action.delete'),
        isRecycled: true,
        mode: 'post',
        run: async (proof) => {
          await deletion.mutateAsync({ nodeMaster, ...proof });
          notify('success', t('node.done.delete', { name }));
          onDeleted?.();
        },
      });
  };
  return { perform, isPending: action.isPending || deletion.isPending };
}
