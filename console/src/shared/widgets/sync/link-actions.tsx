import {
  CaretRightOutlined,
  DeleteOutlined,
  EllipsisOutlined,
  PauseOutlined,
  PoweroffOutlined,
  RedoOutlined,
} from '@ant-design/icons';
import { Button, Dropdown, Space } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '@/shared/lib/notices';
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
  target: { host: string; database: string };
}

interface Props {
  link: ActedLink;
  /** In a table's row: small, the first action visible, the rest behind "more". */
  compact?: boolean;
  onDeleted?: () => void;
}

/** What the link's state allows, as the server says. Stopping and deleting ask first. */
export function LinkActions({ link, compact = false, onDeleted }: Props) {
  const { t } = useTranslation('sync');
  const { perform, isPending } = usePerform(link, onDeleted);
  const allowed = linkVerbs.filter((verb) => link.actions.includes(verb));
  const shown = allowed.slice(0, compact ? 1 : 2);
  const rest = allowed.filter((verb) => !shown.includes(verb));
  return (
    <Space size={compact ? 0 : 'small'}>
      {shown.map((verb) => (
        <Button
          key={verb}
          type={compact ? 'link' : 'default'}
          danger={verb === 'delete'}
          icon={compact ? undefined : icons[verb]}
          loading={!compact && isPending}
          disabled={isPending}
          aria-label={compact ? t(`action.${verb}Named`, { name: link.name }) : undefined}
          onClick={() => perform(verb)}
        >
          {t(`action.${verb}`)}
        </Button>
      ))}
      {rest.length > 0 && (
        <Dropdown
          trigger={['click']}
          menu={{
            onClick: ({ key }) => perform(key as LinkVerb),
            items: rest.map((verb) => ({
              key: verb,
              label: t(`action.${verb}`),
              icon: icons[verb],
              danger: verb === 'delete',
            })),
          }}
        >
          <Button
            type={compact ? 'text' : 'default'}
            icon={<EllipsisOutlined />}
            disabled={isPending}
            aria-label={t('action.moreFor', { name: link.name })}
          />
        </Dropdown>
      )}
    </Space>
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
        host: link.target.host,
        database: link.target.database,
      }),
      action: t(`action.${verb}`),
    };
    if (verb === 'delete') confirmDelete({ ...danger, mode: 'post', run: (proof) => run(verb, proof) });
    else confirm({ ...danger, run: () => run(verb) });
  };
  return { perform, isPending };
}
