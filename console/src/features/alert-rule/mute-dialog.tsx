import { Form, Modal, Radio } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { alertRuleMute, audited, call, type RuleRecord } from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { reportFailure } from '@/shared/lib/report-failure';
import { toFault } from '@/shared/ui/form-faults';
import { MOMENT, MomentInput } from '@/shared/ui/moment-input';
import { useRefresh } from './queries';

const HOUR = 3_600_000;
const spans = { hour: HOUR, shift: 8 * HOUR, day: 24 * HOUR, week: 7 * 24 * HOUR } as const;
const spanNames = ['hour', 'shift', 'day', 'week', 'other'] as const;

interface MuteForm {
  span: (typeof spanNames)[number];
  /** In the viewer's zone, as the field has it. */
  moment?: string;
}

/** Suppresses notices of a rule's alerts until some time. */
export default function MuteDialog({ rule, onClose }: { rule: RuleRecord; onClose: () => void }) {
  const { t } = useTranslation(['alert-rule', 'common']);
  const [form] = Form.useForm<MuteForm>();
  const span: MuteForm['span'] | undefined = Form.useWatch('span', form);
  const refresh = useRefresh();
  const [isSaving, setSaving] = useState(false);
  const submit = async ({ span: chosen, moment }: MuteForm) => {
    const until = chosen === 'other' ? new Date(moment ?? '') : new Date(Date.now() + spans[chosen]);
    setSaving(true);
    try {
      await call(alertRuleMute({ body: { id: rule.id, until: until.toISOString() }, ...audited(rule) }));
      notify('success', t('alert-rule:mutedNow', { name: rule.name }));
      await refresh();
      onClose();
    } catch (error) {
      reportFailure('status')(error);
    } finally {
      setSaving(false);
    }
  };
  return (
    <Modal
      open
      title={t('alert-rule:muteTitle', { name: rule.name })}
      okText={t('alert-rule:mute')}
      cancelText={t('common:action.cancel')}
      confirmLoading={isSaving}
      onOk={form.submit}
      onCancel={onClose}
      mask={{ closable: false }}
    >
      <p>{t('alert-rule:muteHint')}</p>
      <Form
        form={form}
        layout="vertical"
        initialValues={{ span: 'shift' }}
        onFinish={submit}
        scrollToFirstError={toFault}
      >
        <Form.Item name="span" label={t('alert-rule:muteSpan')}>
          <Radio.Group
            options={spanNames.map((value) => ({ value, label: t(`alert-rule:muteSpans.${value}`) }))}
          />
        </Form.Item>
        {span === 'other' && (
          <Form.Item
            name="moment"
            label={t('alert-rule:mutedUntil')}
            rules={[{ required: true, pattern: MOMENT, message: t('alert-rule:muteUntilFault') }]}
          >
            <MomentInput />
          </Form.Item>
        )}
      </Form>
    </Modal>
  );
}
