import { useMutation } from '@tanstack/react-query';
import { Form, Input } from 'antd';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { ApiError } from '@/shared/api';
import { notifyFailure } from '@/shared/api/notices';
import { notify } from '@/shared/lib/notices';
import { paths } from '@/shared/pages/paths';
import { toFault } from '@/shared/ui/form-faults';
import { upTo } from '@/shared/ui/up-to';
import { createLink, isNameTaken } from '../queries';
import { documentOf, patternsIn, suggestedName } from './document';
import { type ConnectionDraft, pickedTables, placeOf } from './draft';
import { useDraft } from './draft-store';
import { StepFrame } from './step-frame';

interface Values {
  name: string;
}

/** The name, what is going to happen in a few lines, and the start. */
export function StartStep() {
  const { t } = useTranslation('sync-link');
  const navigate = useNavigate();
  const [form] = Form.useForm<Values>();
  const { draft, change, startOver } = useDraft();
  const create = useMutation({
    mutationFn: async (name: string) => {
      if (await isNameTaken(name)) throw new Error(t('start.nameTaken', { name }));
      return createLink(documentOf({ ...draft, name }), t('start.create'));
    },
    onSuccess: ({ taskId }, name) => {
      notify('success', t('start.started', { name }));
      navigate(paths.syncTask(taskId), { replace: true });
      startOver();
    },
    onError: (error) => {
      if (error instanceof ApiError && error.isCancelled) return notifyFailure(error);
      form.setFields([{ name: 'name', errors: [error.message] }]);
      form.getFieldInstance('name')?.focus();
    },
    meta: { quiet: true },
  });
  const submit = ({ name }: Values) => {
    change({ name: name.trim() });
    create.mutate(name.trim());
  };

  return (
    <StepFrame
      title={t('start.title')}
      hint={t('start.hint')}
      onNext={form.submit}
      nextLabel={t('start.create')}
      isBusy={create.isPending}
    >
      <Form<Values>
        form={form}
        layout="vertical"
        className="wizard-start"
        initialValues={{ name: draft.name || suggestedName(draft) }}
        onValuesChange={(_, { name }) => change({ name: name.trim() })}
        onFinish={submit}
        scrollToFirstError={toFault}
      >
        <Form.Item
          name="name"
          label={t('start.name')}
          rules={[{ required: true, whitespace: true, message: t('start.nameRequired') }]}
        >
          <Input {...upTo(100)} autoFocus spellCheck={false} />
        </Form.Item>
      </Form>
      <Summary />
    </StepFrame>
  );
}

function placeText(connection: ConnectionDraft): string {
  const { title, server } = placeOf(connection);
  return `${title} · ${server}`;
}

function Summary() {
  const { t } = useTranslation('sync-link');
  const { draft } = useDraft();
  const newTables = patternsIn(draft.newTables);
  return (
    <dl className="wizard-summary">
      <dt>{t('start.source')}</dt>
      <dd>{placeText(draft.source)}</dd>
      <dt>{t('start.target')}</dt>
      <dd>{placeText(draft.target)}</dd>
      <dt>{t('start.tables')}</dt>
      <dd>{t('start.tableCount', { count: pickedTables(draft).length })}</dd>
      <dt>{t('mapping.load')}</dt>
      <dd>{t(`load.${draft.load}`)}</dd>
      {draft.load !== 'incremental' && (
        <>
          <dt>{t('mapping.clean')}</dt>
          <dd>
            {t(`clean.${draft.clean}`)} – {t(`cleanHint.${draft.clean}`)}
          </dd>
        </>
      )}
      <dt>{t('mapping.ddl')}</dt>
      <dd>
        {t(`ddl.${draft.ddl}`)} – {t(`ddlHint.${draft.ddl}`)}
      </dd>
      <dt>{t('mapping.indexes')}</dt>
      <dd>{t(`indexesHint.${draft.indexes}`)}</dd>
      {newTables.length > 0 && (
        <>
          <dt>{t('mapping.newTables')}</dt>
          <dd>{newTables.join(', ')}</dd>
        </>
      )}
    </dl>
  );
}
