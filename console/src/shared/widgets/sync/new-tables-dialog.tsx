import { Button, Modal, Select, Space } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TableChange } from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { usePageActive } from '@/shared/pages/page-context';
import { EmptyState } from '@/shared/ui/empty-state';
import { ErrorState } from '@/shared/ui/error-state';
import { LoadingState } from '@/shared/ui/loading-state';
import { refusableFooter } from '@/shared/ui/refusable-footer';
import { useNewTables, useTakeIn } from './queries';

interface Props {
  linkId: string;
  onClose: () => void;
}

/** Tables that the source has and the link does not carry; the chosen ones are taken in. */
export default function NewTablesDialog({ linkId, onClose }: Props) {
  const { t } = useTranslation('sync');
  const isActive = usePageActive();
  const query = useNewTables(linkId);
  const takeIn = useTakeIn(linkId, t('table.new.title'));
  const [chosen, setChosen] = useState<string[]>([]);
  const take = async () => {
    const { added } = await takeIn.mutateAsync(chosen);
    notify('success', t('table.new.done', { count: added.length }));
    onClose();
  };
  return (
    <Modal
      title={t('table.new.title')}
      open={isActive}
      onCancel={onClose}
      width={720}
      footer={refusableFooter({
        refused: chosen.length === 0 ? t('table.selectFirst') : undefined,
        text: t('table.new.take', { count: chosen.length }),
        isPending: takeIn.isPending,
        onOk: () => take().catch(() => undefined),
      })}
    >
      <Candidates query={query} chosen={chosen} choose={setChosen} />
    </Modal>
  );
}

interface CandidatesProps {
  query: ReturnType<typeof useNewTables>;
  chosen: string[];
  choose: (tables: string[]) => void;
}

function Candidates({ query, chosen, choose }: CandidatesProps) {
  const { t } = useTranslation('sync');
  if (query.isError) return <ErrorState error={query.error} onRetry={query.refetch} />;
  if (!query.data) return <LoadingState rows={4} />;
  const { tables } = query.data;
  if (tables.length === 0) return <EmptyState title={t('table.new.none')} hint={t('table.new.noneHint')} />;
  return (
    <>
      <p>{t('table.new.found', { count: tables.length })}</p>
      <Space.Compact block>
        <Select
          mode="multiple"
          aria-label={t('table.new.title')}
          placeholder={t('table.new.choose')}
          style={{ width: '100%' }}
          maxTagCount={20}
          value={chosen}
          onChange={choose}
          options={tables.map(option)}
        />
        <Button onClick={() => choose(tables.map(({ source }) => source))}>{t('table.new.all')}</Button>
      </Space.Compact>
    </>
  );
}

function option({ source, target }: TableChange) {
  return { value: source, label: `${source} → ${target}` };
}
