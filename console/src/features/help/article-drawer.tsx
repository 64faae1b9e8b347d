import { PictureOutlined } from '@ant-design/icons';
import { Alert, Button, Form, Input, Tabs } from 'antd';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ArticleDraft, articleAdd, articleEdit, audited, call, uploadBeginPicture } from '@/shared/api';
import { useMay } from '@/shared/hooks/use-may';
import { notify } from '@/shared/lib/notices';
import { reportFailure } from '@/shared/lib/report-failure';
import { ErrorState } from '@/shared/ui/error-state';
import { FormDrawer } from '@/shared/ui/form-drawer';
import { LoadingState } from '@/shared/ui/loading-state';
import { MarkdownArticle } from '@/shared/widgets/markdown';
import { sendFile } from '@/shared/widgets/upload/send';
import { Picture } from './picture';
import { useDraft, useRefresh } from './queries';

const LANGUAGES = ['zh', 'en'] as const;
const LONGEST = 100_000;
type Language = (typeof LANGUAGES)[number];
type Texts = Record<Language, string>;

interface Props {
  /** Empty: a new one. */
  name: string;
  onClose: () => void;
}

const renderPicture = (address: string, alt: string) => <Picture address={address} alt={alt} />;

/** Writes the draft of an article in both languages, with a preview. */
export default function ArticleDrawer({ name, onClose }: Props) {
  const draft = useDraft(name);
  if (draft.error) return <ErrorState error={draft.error} onRetry={draft.refetch} />;
  if (name !== '' && !draft.data) return <LoadingState rows={2} />;
  return <Editor key={name} draft={draft.data} onClose={onClose} />;
}

function Editor({ draft, onClose }: { draft?: ArticleDraft; onClose: () => void }) {
  const { t } = useTranslation('help');
  const refresh = useRefresh();
  // The draft that was opened: another author's change must not slip under this one's revision.
  const [opened] = useState(draft);
  const save = async ({ zh, en }: Texts) => {
    const body = { zh, en };
    const saved = opened
      ? await call(
          articleEdit({
            body: { ...body, name: opened.name, revision: opened.revision, shipped: opened.shipped },
            ...audited(opened, body),
          }),
        )
      : await call(articleAdd({ body }));
    notify('success', t('saved', { name: saved.titleZh || saved.titleEn }));
    await refresh();
  };
  return (
    <FormDrawer<Texts>
      asked={opened ? 'modify' : 'submit'}
      title={opened ? t('editTitle', { name: opened.name }) : t('newTitle')}
      open
      size="85%"
      saveLabel={t('saveDraft')}
      initialValues={{ zh: opened?.zh || opened?.shippedZh || '', en: opened?.en || opened?.shippedEn || '' }}
      onSubmit={save}
      onClose={onClose}
    >
      {opened?.outdated && <Alert type="warning" showIcon title={t('outdatedHint')} />}
      <p>{t('writeHint')}</p>
      <Tabs
        items={LANGUAGES.map((key) => ({
          key,
          label: t(`languages.${key}`),
          forceRender: true,
          children: <LanguageField language={key} />,
        }))}
      />
    </FormDrawer>
  );
}

function LanguageField({ language }: { language: Language }) {
  const { t } = useTranslation('help');
  const form = Form.useFormInstance<Texts>();
  const text = Form.useWatch(language, form) ?? '';
  const put = (address: string) =>
    form.setFields([{ name: language, value: `${text.trimEnd()}\n\n${address}\n`, touched: true }]);
  return (
    <div className="help-editor">
      <div>
        <Form.Item
          name={language}
          label={t('text')}
          rules={[
            { max: LONGEST },
            {
              validator: (_, value: string) =>
                !value?.trim() || /^# \S/m.test(value)
                  ? Promise.resolve()
                  : Promise.reject(new Error(t('headingNeeded'))),
            },
          ]}
        >
          <Input.TextArea rows={24} maxLength={LONGEST} spellCheck={false} />
        </Form.Item>
        <PictureButton onUploaded={put} />
      </div>
      <section aria-label={t('preview')} className="help-preview">
        {text.trim() ? (
          <MarkdownArticle source={text} renderPicture={renderPicture} />
        ) : (
          <p>{t('previewEmpty')}</p>
        )}
      </section>
    </div>
  );
}

/** Uploads a picture and gives what shows it in Markdown. */
function PictureButton({ onUploaded }: { onUploaded: (markdown: string) => void }) {
  const { t } = useTranslation('help');
  const may = useMay('resource/uploads');
  const input = useRef<HTMLInputElement>(null);
  const [isSending, setSending] = useState(false);
  if (!may('create')) return null;
  const send = async (file: File) => {
    setSending(true);
    try {
      const begun = await call(uploadBeginPicture({ body: { name: file.name, size: file.size } }));
      const signal = new AbortController().signal;
      const { id, name } = await sendFile(file, begun, { onProgress: () => undefined, signal });
      onUploaded(`![${name.replace(/[[\]]/g, '')}](picture/${id})`);
    } finally {
      setSending(false);
    }
  };
  return (
    <>
      <Button icon={<PictureOutlined />} loading={isSending} onClick={() => input.current?.click()}>
        {t('addPicture')}
      </Button>
      <input
        ref={input}
        type="file"
        // The kit's forms show what is only `hidden`.
        style={{ display: 'none' }}
        accept="image/png,image/jpeg,image/webp,image/gif"
        aria-label={t('addPicture')}
        onChange={({ target }) => {
          const file = target.files?.[0];
          if (file) void send(file).catch(reportFailure('submit'));
          target.value = '';
        }}
      />
    </>
  );
}
