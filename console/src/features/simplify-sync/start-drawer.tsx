import { Checkbox, Form, Input, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { call, type StartRecord, type StartRequest, simplifySyncStart } from '@/shared/api';
import { usePageActive } from '@/shared/pages/page-context';
import { AppendOnlyWarning } from '@/shared/ui/append-only';
import { useConfirmDanger } from '@/shared/ui/confirm-danger';
import { FormDrawer } from '@/shared/ui/form-drawer';
import { upTo } from '@/shared/ui/up-to';
import { follow } from '@/shared/widgets/call-progress';
import type { Wanted } from './queries';

type Settings = Required<Pick<StartRequest, 'name' | 'load' | 'clean' | 'ddl' | 'appendOnly'>>;

const loads = ['full+incremental', 'full', 'incremental'] as const;
const cleans = ['none', 'truncate', 'drop', 'only-truncate'] as const;
const changes = ['follow', 'stop', 'ignore'] as const;

interface Props {
  wanted: Wanted;
  /** How many go along, and how many of them are in the target already. */
  tables: number;
  existing: number;
  suggestedName: string;
  onStarted: (record: StartRecord) => void;
  onClose: () => void;
}

/** The link's name and how its tables are loaded; one start makes it and lets it run. */
export default function StartDrawer({ wanted, tables, existing, suggestedName, onStarted, onClose }: Props) {
  const { t } = useTranslation(['simplify-sync', 'common']);
  const isActive = usePageActive();
  const start = async (settings: Settings) =>
    onStarted(
      await follow(t('start.title', { count: tables }), (headers) =>
        call(simplifySyncStart({ body: { ...wanted, ...settings }, headers })),
      ),
    );
  const confirmed = useCleaningConfirmed(existing);
  return (
    <FormDrawer<Settings>
      title={t('start.title', { count: tables })}
      saveLabel={t('start.start')}
      open={isActive}
      initialValues={{
        name: suggestedName,
        load: 'full+incremental',
        clean: 'none',
        ddl: 'follow',
        appendOnly: false,
      }}
      onSubmit={(settings) => confirmed(settings, () => start(settings))}
      onClose={onClose}
    >
      <Form.Item
        name="name"
        label={t('start.name')}
        rules={[{ required: true, whitespace: true, message: t('start.nameRequired') }]}
        normalize={(text: string) => text.trimStart()}
      >
        <Input {...upTo(100)} autoFocus spellCheck={false} />
      </Form.Item>
      <Form.Item name="load" label={t('start.load')}>
        <Select options={loads.map((value) => ({ value, label: t(`load.${value}`) }))} />
      </Form.Item>
      <Form.Item
        name="clean"
        label={t('start.clean')}
        extra={existing === 0 ? t('start.cleanNone') : t('start.cleanHint', { count: existing })}
      >
        <Select options={cleans.map((value) => ({ value, label: t(`clean.${value}`) }))} />
      </Form.Item>
      <Form.Item name="ddl" label={t('start.ddl')}>
        <Select options={changes.map((value) => ({ value, label: t(`ddl.${value}`) }))} />
      </Form.Item>
      <Form.Item name="appendOnly" valuePropName="checked">
        <Checkbox>{t('common:appendOnly.offerMany')}</Checkbox>
      </Form.Item>
      <Form.Item noStyle dependencies={['appendOnly']}>
        {({ getFieldValue }) => (getFieldValue('appendOnly') ? <AppendOnlyWarning /> : null)}
      </Form.Item>
    </FormDrawer>
  );
}

/** Asks first where rows of tables that are there would be lost; declining leaves the form open. */
function useCleaningConfirmed(existing: number) {
  const { t } = useTranslation('simplify-sync');
  const confirm = useConfirmDanger();
  return ({ clean, load }: Settings, run: () => Promise<void>): Promise<unknown> => {
    if (clean === 'none' || load === 'incremental' || existing === 0) return run();
    return new Promise<unknown>((resolve, reject) => {
      confirm({
        title: t('start.cleanTitle', { count: existing }),
        content: t(`start.cleanContent.${clean === 'drop' ? 'drop' : 'empty'}`),
        action: t('start.start'),
        run: () => run().then(resolve, reject),
        onDecline: () => resolve(false),
      });
    });
  };
}
