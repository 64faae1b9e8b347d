import { Menu } from 'antd';
import { useTranslation } from 'react-i18next';
import { useSchemas } from '@/shared/widgets/data-source/queries';
import { useDraft } from './draft-store';
import { useTableFilter } from './table-filter';

const ALL = '\n';

/** The source's schemas; choosing one narrows the table list. */
export function SchemaMenu() {
  const { t } = useTranslation('sync-link');
  const { draft } = useDraft();
  const schemas = useSchemas(draft.source);
  const [filter, narrow] = useTableFilter();
  const choose = (key: string) => narrow({ schema: key === ALL ? '' : key });
  return (
    <nav className="wizard-schemas" aria-label={t('tables.schemas')}>
      <Menu
        selectedKeys={[filter.schema || ALL]}
        onSelect={({ key }) => choose(key)}
        items={[
          { key: ALL, label: t('tables.allSchemas') },
          ...(schemas.data ?? []).map((name) => ({ key: name, label: name })),
        ]}
      />
    </nav>
  );
}
