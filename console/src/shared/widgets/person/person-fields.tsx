import { Form, Input, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { notify } from '@/shared/lib/notices';
import { idFault, isEmail, isMobile } from '@/shared/lib/person-rules';
import { stripChinese } from '@/shared/lib/text';
import { upTo } from '@/shared/ui/up-to';

interface Props {
  /** A built-in account is no person and needs no number. */
  isNumberOptional?: boolean;
}

const stripped = (value: string | undefined) => stripChinese(value ?? '');

/** Personal data: the fields shared by the user form and the personal information. */
export function PersonFields({ isNumberOptional = false }: Props) {
  const { t } = useTranslation('person');
  const form = Form.useFormInstance();
  const checkNumber = (_: unknown, value: string | null | undefined) => {
    const fault = idFault(value ?? '', form.getFieldValue('documentType'));
    if (!fault || (fault === 'empty' && isNumberOptional)) return Promise.resolve();
    return Promise.reject(new Error(t(`fault.id.${fault}`)));
  };
  const checkEmail = (_: unknown, value: string | null | undefined) =>
    !value || isEmail(value) ? Promise.resolve() : Promise.reject(new Error(t('fault.email')));
  const checkPhone = () => {
    const phone = form.getFieldValue('phone');
    if (!phone || isMobile(phone)) return;
    notify('error', t('fault.phone'));
    form.setFieldValue('phone', '');
  };
  return (
    <>
      <Form.Item name="nickName" label={t('nickName')}>
        <Input {...upTo(10)} showCount />
      </Form.Item>
      <Form.Item
        name="documentType"
        label={t('documentType')}
        rules={[{ required: !isNumberOptional, message: t('fault.documentType') }]}
      >
        <Select
          options={[
            { value: '0', label: t('document.idCard') },
            { value: '1', label: t('document.hrNumber') },
          ]}
        />
      </Form.Item>
      <Form.Item
        name="idNumber"
        label={t('idNumber')}
        dependencies={['documentType']}
        required={!isNumberOptional}
        rules={[{ validator: checkNumber }]}
      >
        <Input {...upTo(18)} />
      </Form.Item>
      <Form.Item name="phone" label={t('phone')} normalize={stripped}>
        <Input {...upTo(13)} inputMode="tel" onBlur={checkPhone} />
      </Form.Item>
      <Form.Item name="email" label={t('email')} normalize={stripped} rules={[{ validator: checkEmail }]}>
        <Input {...upTo(100)} inputMode="email" />
      </Form.Item>
      <Form.Item name="description" label={t('description')}>
        <Input.TextArea {...upTo(200)} showCount autoSize={{ minRows: 2, maxRows: 4 }} />
      </Form.Item>
    </>
  );
}
