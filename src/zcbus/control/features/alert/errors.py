"""What can go wrong with alerts."""

from zcbus.control.platform.errors import HttpError


class DeliveryRefusedError(HttpError):
    """Only users of certain types deliver messages, and no remote client."""

    code = "alert-delivery-refused"
    status = 403
    wire_code = 40103
