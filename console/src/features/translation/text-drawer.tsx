import { Alert, Form, Input } from 'antd';
import { useTranslation } from 'react-i18next';
import { audited, call, type TextForm, type TextRecord, translationSave } from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { FormDrawer } from '@/shared/ui/form-drawer';
import { upTo } from '@/shared/ui/up-to';

const LONGEST = 1000;

interface Props {
  text: TextRecord;
  onSaved: () => Promise<unknown>;
  onClose: () => void;
}

/** The custom texts of a key in both languages; a field left empty stands for the shipped text. */
export default function TextDrawer({ text, onSaved, onClose }: Props) {
  const { t } = useTranslation('translation');
  const { key, zh, en, customZh, customEn, placeholders, marks } = text;
  const save = async (values: Pick<TextForm, 'zh' | 'en'>) => {
    const body = { key, zh: values.zh || null, en: values.en || null };
    await call(translationSave({ body, ...audited({ zh: customZh, en: customEn }, body) }));
    notify('success', t('saved', { key }));
    await onSaved();
  };
  return (
    <FormDrawer<Pick<TextForm, 'zh' | 'en'>>
      asked="modify"
      title={t('editTitle', { key })}
      open
      initialValues={{ zh: customZh ?? '', en: customEn ?? '' }}
      onSubmit={save}
      onClose={onClose}
    >
      <p>{t('editHint')}</p>
      {placeholders.length > 0 && <p>{t('placeholders', { names: placeholders.join(' ') })}</p>}
      {marks.includes('outdated') && <Alert type="warning" showIcon title={t('outdatedHint')} />}
      {marks.includes('unused') && <Alert type="error" showIcon title={t('unusedHint')} />}
      {zh !== null && <LanguageField name="zh" shipped={zh} />}
      {en !== null && <LanguageField name="en" shipped={en} />}
    </FormDrawer>
  );
}

function LanguageField({ name, shipped }: { name: 'zh' | 'en'; shipped: string }) {
  const { t } = useTranslation('translation');
  return (
    <Form.Item name={name} label={t(name)} extra={t('shipped', { text: shipped })}>
      <Input.TextArea
        {...upTo(LONGEST)}
        autoSize={{ minRows: 2, maxRows: 8 }}
        placeholder={shipped}
        lang={name === 'zh' ? 'zh-CN' : 'en'}
      />
    </Form.Item>
  );
}
