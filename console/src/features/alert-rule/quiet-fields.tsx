import { Form, Select, Switch } from 'antd';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { zoneNames } from '@/shared/lib/zones';
import { CLOCK, MomentInput } from '@/shared/ui/moment-input';

/** When notices of the rule's alerts are held back, and in which zone. */
export function QuietFields() {
  const { t } = useTranslation('alert-rule');
  const hasQuiet: boolean | undefined = Form.useWatch(['quiet', 'isOn']);
  const zones = useMemo(() => zoneNames().map((value) => ({ value, label: value })), []);
  const need = { required: true, pattern: CLOCK, message: t('quietFault') };
  return (
    <>
      <Form.Item name={['quiet', 'isOn']} label={t('quiet')} extra={t('quietHint')} valuePropName="checked">
        <Switch />
      </Form.Item>
      {hasQuiet && (
        <div className="alert-rule-condition">
          <Form.Item name={['quiet', 'begin']} label={t('quietFrom')} rules={[need]}>
            <MomentInput precision="clock" />
          </Form.Item>
          <Form.Item
            name={['quiet', 'end']}
            label={t('quietTo')}
            dependencies={[['quiet', 'begin']]}
            rules={[
              need,
              ({ getFieldValue }) => ({
                validator: (_, value) =>
                  value && value === getFieldValue(['quiet', 'begin'])
                    ? Promise.reject(new Error(t('quietSame')))
                    : Promise.resolve(),
              }),
            ]}
          >
            <MomentInput precision="clock" />
          </Form.Item>
          <Form.Item
            name={['quiet', 'timeZone']}
            label={t('timeZone')}
            rules={[{ required: true, message: t('timeZoneFault') }]}
          >
            <Select showSearch={{ optionFilterProp: 'label' }} options={zones} />
          </Form.Item>
        </div>
      )}
    </>
  );
}
