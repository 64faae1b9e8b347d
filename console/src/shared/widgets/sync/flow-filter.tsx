import { useTranslation } from 'react-i18next';
import { useListFilter } from '@/shared/ui/data-table';
import { ListChoice } from '@/shared/ui/list-choice';
import { ListSearch } from '@/shared/ui/list-search';
import { useStateLabel } from '@/shared/ui/state-tag';
import { linkStates } from './link-states';

/** What narrows a list of links or tasks. An empty state stands for every state. */
const defaults = { search: '', state: '' };

/** As `useListFilter`, and whether anything is narrowed. */
export function useFlowFilter(table: string) {
  const [filter, narrow] = useListFilter(table, defaults);
  return { filter, narrow, isFiltered: filter.search !== '' || filter.state !== '' };
}

interface Props extends Pick<ReturnType<typeof useFlowFilter>, 'filter' | 'narrow'> {
  /** What is searched in. */
  search: string;
}

export function FlowFilter({ search, filter, narrow }: Props) {
  const { t } = useTranslation('sync');
  const label = useStateLabel();
  return (
    <>
      <ListSearch label={search} value={filter.search} onSearch={(text) => narrow({ search: text })} />
      <ListChoice
        label={t('flow.stateFilter')}
        value={filter.state}
        onChange={(state) => narrow({ state })}
        options={[
          { value: '', label: t('flow.anyState') },
          ...linkStates.map((value) => ({ value: value as string, label: label(value) })),
        ]}
      />
    </>
  );
}
