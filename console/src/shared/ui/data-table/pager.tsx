import { Pagination } from 'antd';
import { useTranslation } from 'react-i18next';
import { ALL_ROWS } from './table-state';
import type { TableState } from './types';

interface Props {
  state: TableState;
  total: number;
}

/** Pages with their numbers, sizes, a jump and the total. */
export function Pager({ state, total }: Props) {
  const { t } = useTranslation();
  const { sizes, request, setPage } = state;
  // The kit's pager knows no "all": for it that is one page as long as the list.
  const everything = Math.max(total, 1);
  const options = sizes.map((size) => ({
    value: size === ALL_ROWS ? everything : size,
    label: size === ALL_ROWS ? t('table.allRows') : t('table.perPage', { size }),
    size,
  }));
  const isAll = request.size === ALL_ROWS;
  return (
    <Pagination
      className="table-pager"
      current={request.current}
      pageSize={isAll ? everything : request.size}
      total={total}
      onChange={(current) => setPage(current, request.size)}
      showSizeChanger={{
        options,
        value: isAll ? everything : request.size,
        onSelect: (_, option) => setPage(1, (option as unknown as { size: number }).size),
        'aria-label': t('table.pageSize'),
        showSearch: false,
      }}
      showQuickJumper
      showTotal={(count) => t('table.total', { total: count })}
    />
  );
}
