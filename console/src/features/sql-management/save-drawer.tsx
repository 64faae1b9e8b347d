import { Form, Input, Switch } from 'antd';
import { useTranslation } from 'react-i18next';
import { audited, call, sqlAdd, sqlEdit } from '@/shared/api';
import { useMay } from '@/shared/hooks/use-may';
import { notify } from '@/shared/lib/notices';
import { FormDrawer } from '@/shared/ui/form-drawer';
import { upTo } from '@/shared/ui/up-to';
import type { Draft } from './draft';
import { SQL, useRefresh } from './queries';

interface Props {
  draft: Draft;
  onSaved: (draft: Draft) => void;
  onClose: () => void;
}

interface SaveForm {
  description: string;
  asNew: boolean;
}

const LONGEST = 30;

/** Keeps what stands in the editor under a description. */
export default function SaveDrawer({ draft, onSaved, onClose }: Props) {
  const { t } = useTranslation('sql-management');
  const may = useMay(SQL);
  const refresh = useRefresh();
  const canChange = draft.id !== '' && may('edit');
  const save = async ({ description, asNew }: SaveForm) => {
    const body = { description, statement: draft.statement, databaseId: draft.databaseId };
    const saved =
      canChange && !asNew
        ? await call(sqlEdit({ body: { ...body, id: draft.id }, ...audited(draft, body) }))
        : await call(sqlAdd({ body }));
    notify('success', t('savedNotice', { description }));
    onSaved({ ...draft, id: saved.id, description: saved.description });
    await refresh();
  };
  return (
    <FormDrawer<SaveForm>
      asked={canChange ? 'modify' : 'submit'}
      title={t('saveTitle')}
      open
      initialValues={{ description: draft.description, asNew: !canChange }}
      onSubmit={save}
      onClose={onClose}
    >
      <Form.Item
        name="description"
        label={t('description')}
        rules={[{ required: true, whitespace: true, message: t('descriptionFault') }]}
      >
        <Input {...upTo(LONGEST)} showCount />
      </Form.Item>
      {canChange && may('create') && (
        <Form.Item name="asNew" label={t('saveAs')} valuePropName="checked">
          <Switch />
        </Form.Item>
      )}
      <Form.Item label={t('statement')}>
        <pre className="sql-shown">{draft.statement}</pre>
      </Form.Item>
    </FormDrawer>
  );
}
