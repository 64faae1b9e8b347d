import { Form, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { call, type SheetRecord } from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { usePageActive } from '@/shared/pages/page-context';
import { FormDrawer } from '@/shared/ui/form-drawer';
import { calls, useRefresh } from './queries';

const cleanModes = ['none', 'truncate', 'drop', 'only-truncate'] as const;
const ddlModes = ['stop', 'follow', 'ignore'] as const;

interface Props {
  /** The first one's settings are what the form begins with. */
  tables: readonly SheetRecord[];
  onClose: () => void;
}

type Modes = Pick<SheetRecord, 'clean' | 'ddl'>;

/** How the next full load cleans, and what a change of structure does. */
export default function CleanDrawer({ tables, onClose }: Props) {
  const { t } = useTranslation('subscribe');
  const isActive = usePageActive();
  const refresh = useRefresh();
  const [first] = tables;
  const save = async (modes: Modes) => {
    const results = await call(calls.clean({ body: { tables: tables.map(({ id }) => id), ...modes } }));
    await refresh();
    const count = results.filter(({ done }) => done).length;
    notify('success', t(`sheet.${saidOf(first, modes)}`, { count }));
  };
  return (
    <FormDrawer<Modes>
      asked="modify"
      title={t('sheet.cleanTitle', { count: tables.length })}
      open={isActive}
      initialValues={first && { clean: first.clean, ddl: first.ddl }}
      onSubmit={save}
      onClose={onClose}
    >
      <ModeFields />
    </FormDrawer>
  );
}

/** Whether changes of structure are passed over is worth a word of its own. */
function saidOf(before: Modes | undefined, { ddl }: Modes) {
  const isFiltering = ddl === 'ignore';
  if (!before || isFiltering === (before.ddl === 'ignore')) return 'cleanDone';
  return isFiltering ? 'filterOn' : 'filterOff';
}

export function ModeFields() {
  const { t } = useTranslation('subscribe');
  return (
    <>
      <Form.Item name="clean" label={t('sheet.clean')} extra={t('sheet.cleanHint')}>
        <Select options={cleanModes.map((value) => ({ value, label: t(`cleanMode.${value}`) }))} />
      </Form.Item>
      <Form.Item name="ddl" label={t('sheet.ddl')}>
        <Select options={ddlModes.map((value) => ({ value, label: t(`ddlMode.${value}`) }))} />
      </Form.Item>
    </>
  );
}
