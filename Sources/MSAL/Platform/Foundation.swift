// Licensed under the MIT License. See LICENSE.
@_exported public import Foundation
