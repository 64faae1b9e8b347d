import { Form, InputNumber, Modal, Radio } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ArticleRecord, articlePlace, audited, call } from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { reportFailure } from '@/shared/lib/report-failure';
import { toFault } from '@/shared/ui/form-faults';
import { useRefresh } from './queries';

const MAX_PLACE = 999;

interface PlaceForm {
  beforeShipped: boolean;
  place: number;
}

/** Where readers find an own article: before or behind the shipped pages, and which of several comes first. */
export default function PlaceDialog({ article, onClose }: { article: ArticleRecord; onClose: () => void }) {
  const { t } = useTranslation(['help', 'common']);
  const [form] = Form.useForm<PlaceForm>();
  const refresh = useRefresh();
  const [isSaving, setSaving] = useState(false);
  const { name, revision, beforeShipped, place } = article;
  const save = async (given: PlaceForm) => {
    setSaving(true);
    try {
      await call(articlePlace({ body: { name, revision, ...given }, ...audited(article) }));
      notify('success', t('help:placed', { name }));
      await refresh();
      onClose();
    } catch (error) {
      reportFailure('submit')(error);
    } finally {
      setSaving(false);
    }
  };
  return (
    <Modal
      open
      title={t('help:placeTitle', { name })}
      okText={t('common:action.save')}
      cancelText={t('common:action.cancel')}
      confirmLoading={isSaving}
      onOk={form.submit}
      onCancel={onClose}
      mask={{ closable: false }}
    >
      <Form<PlaceForm>
        form={form}
        layout="vertical"
        initialValues={{ beforeShipped, place }}
        onFinish={save}
        scrollToFirstError={toFault}
      >
        <Form.Item name="beforeShipped" label={t('help:placeGroup')}>
          <Radio.Group
            options={[
              { value: true, label: t('help:places.before') },
              { value: false, label: t('help:places.behind') },
            ]}
          />
        </Form.Item>
        <Form.Item
          name="place"
          label={t('help:placeNumber')}
          extra={t('help:placeHint')}
          rules={[{ required: true, message: t('help:placeFault') }]}
        >
          <InputNumber controls={false} min={0} max={MAX_PLACE} precision={0} />
        </Form.Item>
      </Form>
    </Modal>
  );
}
