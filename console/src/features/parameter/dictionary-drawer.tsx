import { Alert, Form, Input } from 'antd';
import { useTranslation } from 'react-i18next';
import { audited, call, type DictionaryForm, dictionaryAdd, dictionaryEdit } from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { FormDrawer } from '@/shared/ui/form-drawer';
import { upTo } from '@/shared/ui/up-to';
import { WaitingDrawer } from '@/shared/ui/waiting-drawer';
import { DictionaryItems } from './dictionary-items';
import { useDictionary, useRefreshDictionaries } from './queries';

interface Props {
  /** The dictionary to change; none: a new one. */
  dictType?: string;
  builtIn?: boolean;
  onClose: () => void;
}

/** A dictionary as a whole: its names, and its items in their order. */
export default function DictionaryDrawer({ dictType, builtIn = false, onClose }: Props) {
  const { t } = useTranslation('parameter');
  const refresh = useRefreshDictionaries();
  const query = useDictionary(dictType);
  const known = query.data;
  if (dictType && !known) {
    const title = t('dictionary.editTitle', { type: dictType });
    return <WaitingDrawer title={title} queries={[query]} onClose={onClose} />;
  }
  const save = async (values: DictionaryForm) => {
    const body = { ...values, busDictItems: values.busDictItems ?? [] };
    if (known) await call(dictionaryEdit({ body, ...audited(known, body) }));
    else await call(dictionaryAdd({ body }));
    notify('success', t('dictionary.saved', { type: body.dictType }));
    await refresh();
  };
  return (
    <FormDrawer<DictionaryForm>
      asked={known ? 'modify' : 'submit'}
      title={known ? t('dictionary.editTitle', { type: known.dictType }) : t('dictionary.add')}
      open
      initialValues={known ?? { busDictItems: [] }}
      onSubmit={save}
      onClose={onClose}
    >
      {builtIn && (
        <Alert type="info" showIcon title={t('dictionary.builtInHint')} className="dictionary-hint" />
      )}
      <NameFields isNew={!known} />
      <DictionaryItems locked={builtIn} />
    </FormDrawer>
  );
}

function NameFields({ isNew }: { isNew: boolean }) {
  const { t } = useTranslation('parameter');
  const required = { required: true, whitespace: true, message: t('required') };
  return (
    <>
      <Form.Item
        name="dictType"
        label={t('dictionary.type')}
        extra={isNew ? t('dictionary.typeHint') : undefined}
        rules={[{ required: true, pattern: /^[\w.-]{1,100}$/, message: t('dictionary.typeFault') }]}
      >
        <Input {...upTo(100)} disabled={!isNew} />
      </Form.Item>
      <Form.Item name="displayName" label={t('dictionary.nameZh')} rules={[required]}>
        <Input {...upTo(100)} />
      </Form.Item>
      <Form.Item name="displayEnName" label={t('dictionary.nameEn')} rules={[required]}>
        <Input {...upTo(100)} />
      </Form.Item>
    </>
  );
}
